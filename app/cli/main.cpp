#include "app/cli/cli.h"

#include <iostream>

int main(int argc, char** argv) { return gelens::runCli(argc, argv, std::cout, std::cerr); }
