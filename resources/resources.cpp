// The library holds compiled-in data only; see CMakeLists.txt.
