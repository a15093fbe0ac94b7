#include "viewers/logdecoder/error_codes.h"

#include "viewers/logdecoder/error_codes_internal.h"

#include <QCoreApplication>

#include <utility>

namespace gelens {
namespace {

constexpr const char* context = "gelens::ErrorCodes";

constexpr std::pair<const char*, const char*> codes[] = {
    {"E10001",
     QT_TRANSLATE_NOOP("gelens::ErrorCodes",
                       "A parameter has a value that is not allowed; the message names both and the reason.")},
    {"E10002",
     QT_TRANSLATE_NOOP(
         "gelens::ErrorCodes",
         "--input_shape cannot be read. Write name1:n,c,h,w;name2:n,c,h,w with the model's input names and whole numbers.")},
    {"E10003", QT_TRANSLATE_NOOP("gelens::ErrorCodes", "A command line option has a value that is not allowed.")},
    {"E10016",
     QT_TRANSLATE_NOOP("gelens::ErrorCodes",
                       "An operator named in an option is not in the model. Check the name; here it would be a link.")},
    {"E10018", QT_TRANSLATE_NOOP("gelens::ErrorCodes",
                                 "With dynamic batch sizes only the batch axis may be -1 in --input_shape.")},
    {"E10019", QT_TRANSLATE_NOOP("gelens::ErrorCodes",
                                 "With dynamic image sizes only height and width may be -1 in --input_shape.")},
    {"E10021", QT_TRANSLATE_NOOP("gelens::ErrorCodes", "A path is too long.")},
    {"E10022", QT_TRANSLATE_NOOP("gelens::ErrorCodes", "A path names a folder where a file is wanted.")},
    {"E10056", QT_TRANSLATE_NOOP("gelens::ErrorCodes",
                                 "Two options contradict each other, for instance single stream and stream labels.")},
    {"E13000", QT_TRANSLATE_NOOP("gelens::ErrorCodes", "A path does not exist.")},
    {"E13001", QT_TRANSLATE_NOOP("gelens::ErrorCodes", "A file cannot be opened.")},
    {"E13003", QT_TRANSLATE_NOOP("gelens::ErrorCodes", "A file cannot be read.")},
    {"E13004", QT_TRANSLATE_NOOP("gelens::ErrorCodes", "A file cannot be written.")},
    {"E13005",
     QT_TRANSLATE_NOOP(
         "gelens::ErrorCodes",
         "A model file cannot be parsed: another framework, another protobuf version, or damaged. Try opening it here; the reader names the place.")},
    {"E13009", QT_TRANSLATE_NOOP("gelens::ErrorCodes", "Two operators of the graph have one name.")},
    {"E13010",
     QT_TRANSLATE_NOOP(
         "gelens::ErrorCodes",
         "No importer knows this operator type. Register the custom operator, or install the package that has it.")},
    {"E13014", QT_TRANSLATE_NOOP("gelens::ErrorCodes", "A parameter of an operator has a value that is not allowed.")},
    {"E13023",
     QT_TRANSLATE_NOOP(
         "gelens::ErrorCodes",
         "The OM file would be larger than the limit. Keep weights outside the file or quantise them; the memory view shows the largest.")},
    {"E13024", QT_TRANSLATE_NOOP("gelens::ErrorCodes", "An environment variable has a value that is not allowed.")},
    {"E13028", QT_TRANSLATE_NOOP("gelens::ErrorCodes", "A custom fusion pass failed while it ran.")},
    {"E14001",
     QT_TRANSLATE_NOOP("gelens::ErrorCodes", "Type, inputs or outputs of an operator do not fit its parameters.")},
    {"E16001", QT_TRANSLATE_NOOP("gelens::ErrorCodes", "The ONNX model has no node of a kind that it must have.")},
    {"E16005",
     QT_TRANSLATE_NOOP(
         "gelens::ErrorCodes",
         "The ONNX model uses several operator sets of one domain. Export it with one; model-local functions of newer exporters cause this.")},
    {"E19010",
     QT_TRANSLATE_NOOP(
         "gelens::ErrorCodes",
         "No importer knows this operator type. Register the custom operator, or install the package that has it.")},
    {"E19014", QT_TRANSLATE_NOOP("gelens::ErrorCodes", "A parameter of an operator has a value that is not allowed.")},
    {"E19022",
     QT_TRANSLATE_NOOP(
         "gelens::ErrorCodes",
         "The model needs more device memory than there is. The memory view says what the peak is made of and what would lower it.")},
    {"E19023",
     QT_TRANSLATE_NOOP("gelens::ErrorCodes",
                       "The model is larger than the limit. Keep weights outside the file or quantise them.")},
    {"E19999",
     QT_TRANSLATE_NOOP(
         "gelens::ErrorCodes",
         "Inner error of GE. The cause stands in the lines before it: look for the first error and for node names.")},
    {"W11003",
     QT_TRANSLATE_NOOP("gelens::ErrorCodes", "A custom operator lacks a part of its implementation, such as tiling.")},
    {"W18888", QT_TRANSLATE_NOOP("gelens::ErrorCodes", "GE's check of the graph found something odd; it goes on.")},
    {"E40021", QT_TRANSLATE_NOOP("gelens::ErrorCodes", "An operator could not be compiled for the AI core.")},
    {"EZ1001", QT_TRANSLATE_NOOP("gelens::ErrorCodes", "A parameter of an aclnn call is not allowed.")},
    {"EZ1009",
     QT_TRANSLATE_NOOP("gelens::ErrorCodes", "An operator failed while it ran: its tiling or its shape inference.")},
    {"EZ3002",
     QT_TRANSLATE_NOOP(
         "gelens::ErrorCodes",
         "A kernel library refuses this operator with these types or formats; the message lists what each library would take.")},
    {"EZ3003",
     QT_TRANSLATE_NOOP(
         "gelens::ErrorCodes",
         "No kernel library takes this operator: type, data types or formats are not supported on this chip.")},
    {"EZ9903", QT_TRANSLATE_NOOP("gelens::ErrorCodes", "An aclnn call failed while it ran.")},
    {"EZ9999", QT_TRANSLATE_NOOP("gelens::ErrorCodes",
                                 "Inner error of an AI core operator. The lines before it name the operator.")},
    {"EE9999",
     QT_TRANSLATE_NOOP("gelens::ErrorCodes", "Inner error of the runtime; often a consequence of what failed before.")},
    {"EE1001",
     QT_TRANSLATE_NOOP("gelens::ErrorCodes", "A call of the runtime was given a parameter that is not allowed.")},
    {"EI0002",
     QT_TRANSLATE_NOOP("gelens::ErrorCodes",
                       "Cards waited for each other too long: one of them stopped, or is slower than the time-out.")},
    {"EI0020",
     QT_TRANSLATE_NOOP("gelens::ErrorCodes",
                       "A port of the card's network adapter is taken, often by a second process on the same card.")},
};

constexpr std::pair<const char*, const char*> families[] = {
    {"E10", QT_TRANSLATE_NOOP("gelens::ErrorCodes", "GE: an option or an environment setting.")},
    {"E11", QT_TRANSLATE_NOOP("gelens::ErrorCodes", "GE: the Caffe model or its weights.")},
    {"E12", QT_TRANSLATE_NOOP("gelens::ErrorCodes", "GE: the TensorFlow model.")},
    {"E13", QT_TRANSLATE_NOOP("gelens::ErrorCodes", "GE: a file, a path or an operator of the model.")},
    {"E14", QT_TRANSLATE_NOOP("gelens::ErrorCodes", "GE: parameters of an operator while it is compiled.")},
    {"E16", QT_TRANSLATE_NOOP("gelens::ErrorCodes", "GE: the ONNX model.")},
    {"E1", QT_TRANSLATE_NOOP("gelens::ErrorCodes", "GE: import or compile of the graph.")},
    {"E5", QT_TRANSLATE_NOOP("gelens::ErrorCodes", "Compile of an AI core operator.")},
    {"E6", QT_TRANSLATE_NOOP("gelens::ErrorCodes", "Compile of an AI core operator.")},
    {"E7", QT_TRANSLATE_NOOP("gelens::ErrorCodes", "Compile of an AI core operator.")},
    {"E8", QT_TRANSLATE_NOOP("gelens::ErrorCodes", "Compile of an AI core operator: a parameter of it is refused.")},
    {"E9", QT_TRANSLATE_NOOP("gelens::ErrorCodes",
                             "Compile of an AI core operator: the step before or behind the compiler.")},
    {"EZ", QT_TRANSLATE_NOOP("gelens::ErrorCodes", "An operator or its kernel library.")},
    {"EE", QT_TRANSLATE_NOOP("gelens::ErrorCodes", "The runtime on the device.")},
    {"EI", QT_TRANSLATE_NOOP("gelens::ErrorCodes", "Communication between cards (HCCL).")},
    {"EJ", QT_TRANSLATE_NOOP("gelens::ErrorCodes", "The network adapter of a card (HCCP).")},
    {"EL", QT_TRANSLATE_NOOP("gelens::ErrorCodes", "The driver.")},
    {"NF", QT_TRANSLATE_NOOP("gelens::ErrorCodes", "Autofusion gives this as its reason not to fuse.")},
    {"W", QT_TRANSLATE_NOOP("gelens::ErrorCodes", "A warning; the compile goes on.")},
    {"E", QT_TRANSLATE_NOOP("gelens::ErrorCodes", "An error of CANN that is not in the list here.")},
};

/// Null when the code is in no table.
const char* textOf(const std::string& code)
{
    for (const auto& [known, text] : codes)
        if (code == known) return text;
    for (const auto& [known, text] : notFusedCodes())
        if (code == known) return text;
    return nullptr;
}

} // namespace

bool isKnownErrorCode(const std::string& code) { return textOf(code) != nullptr; }

QString errorCodeText(const std::string& code)
{
    if (const char* text = textOf(code)) return QCoreApplication::translate(context, text);
    for (const auto& [family, text] : families)
        if (code.starts_with(family)) return QCoreApplication::translate(context, text);
    return {};
}

} // namespace gelens
