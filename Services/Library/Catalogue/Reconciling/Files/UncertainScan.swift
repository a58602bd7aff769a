/// Thrown where a scan of changed folders would delete what only a scan of all folders can judge.
package struct UncertainScan: Error {}
