/// The version of both tools and of the package, as `--version` prints it.
package let toolVersion = "0.1.0"
