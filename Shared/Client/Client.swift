// The parts that every program needs which shows or steers a household.
