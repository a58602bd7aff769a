import Testing

/// Tests that play. One after the other: each wants the time that its sound takes.
@Suite(.serialized) struct RealSound {}
