/// The version of both tools, as `--version` prints it and the package has it.
public let toolVersion = "0.1.0"
