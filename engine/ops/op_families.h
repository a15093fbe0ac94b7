#pragma once
// One entry function for each operator family; a family is one file (or a few) in this folder.

namespace gelens {

class OpRegistry;

void registerBoundaryOps(OpRegistry&);      ///< Data, Const, NetOutput, control, memory ops
void registerArithmeticOps(OpRegistry&);    ///< Add, Mul, Pow, Sqrt, Exp, Sin, Cast …
void registerLogicOps(OpRegistry&);         ///< comparison, logic, bit ops, Select
void registerActivationOps(OpRegistry&);    ///< Relu, Gelu, Sigmoid, Softmax …
void registerReductionOps(OpRegistry&);     ///< ReduceMean, ReduceSum, ArgMax, Cumsum …
void registerNormalizationOps(OpRegistry&); ///< LayerNorm, RmsNorm, BatchNorm, GroupNorm, LRN …
void registerShapeOps(OpRegistry&);         ///< Reshape, Shape, Transpose, Concat, Split, Slice, Pad, Tile, Expand …
void registerGatherOps(OpRegistry&);        ///< Gather, Scatter, OneHot, TopK, NonZero, Unique, Where …
void registerMatMulOps(OpRegistry&);        ///< MatMulV2, BatchMatMulV2, Einsum, Gemm …
void registerConvolutionOps(OpRegistry&);   ///< Conv1-3D, transposed, depthwise, deformable
void registerPoolingOps(OpRegistry&);
void registerImageOps(OpRegistry&); ///< Resize, GridSample, RoiAlign, NMS, DepthToSpace
void registerQuantizationOps(OpRegistry&);
void registerRecurrentOps(OpRegistry&); ///< RNN, LSTM, GRU
void registerControlOps(OpRegistry&);   ///< If, Loop (While), Scan, sequences
void registerRandomOps(OpRegistry&);
void registerFormatOps(OpRegistry&);   ///< TransData, TransposeD between storage formats
void registerFusedOps(OpRegistry&);    ///< what fusion rules produce: FlashAttentionScore, RmsNorm, SwiGlu …
void registerAutofuseOps(OpRegistry&); ///< AscBackend: what autofusion makes of a group of vector operators

} // namespace gelens
