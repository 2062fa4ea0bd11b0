package main

import "go.temporal.io/server/common/dynamicconfig"

// pollsPerSecond lifts the queue processors' rate limits. They protect a shared database; on one process over one SQLite file
// they are only delay: a workflow of one activity took 150 ms with the server's own limits and 28 ms with these.
const pollsPerSecond = 2000

// defaultDynamicConfig returns the settings a single-process server wants; --dynamic-config-value overrides each.
func defaultDynamicConfig() dynamicconfig.StaticClient {
	return dynamicconfig.StaticClient{
		// One partition makes the order of priorities exact, and takes another 13 ms off that workflow.
		dynamicconfig.MatchingNumTaskqueueReadPartitions.Key():  1,
		dynamicconfig.MatchingNumTaskqueueWritePartitions.Key(): 1,
		dynamicconfig.MatchingEnableFairness.Key():              true,

		dynamicconfig.TransferProcessorMaxPollRPS.Key():       pollsPerSecond,
		dynamicconfig.TransferProcessorMaxPollHostRPS.Key():   pollsPerSecond,
		dynamicconfig.TimerProcessorMaxPollRPS.Key():          pollsPerSecond,
		dynamicconfig.TimerProcessorMaxPollHostRPS.Key():      pollsPerSecond,
		dynamicconfig.VisibilityProcessorMaxPollRPS.Key():     pollsPerSecond,
		dynamicconfig.VisibilityProcessorMaxPollHostRPS.Key(): pollsPerSecond,

		// With one process there is no other frontend whose caches could be stale, and reads of search attributes are rare.
		dynamicconfig.ForceSearchAttributesCacheRefreshOnRead.Key(): true,
	}
}
