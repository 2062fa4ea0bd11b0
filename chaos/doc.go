// Package chaos is a test of the whole installation under fire.
//
// A seed draws chapters and faults. The chapters first go through in calm; then the same chapters, as another tenant's, go
// through while processes are killed with SIGKILL (workers of every role, the API, Temporal, Postgres), frozen and restarted,
// connections are cut, workers are parted from Temporal, the disk of the blobs takes no more, stored blobs are corrupted, detect
// contexts expire, the model hangs, fails and refuses, and clocks are wrong. Meanwhile customers cancel, pause and resume, edit
// finished pages, ask for failed ones again and repeat their requests, and an operator drains hosts. When the storm is over,
// everything that was accepted must have ended as if there had been none, a webhook must have been told of each end, and nothing may be
// left over.
//
//	make chaos                          half an hour, a seed of the day
//	make chaos SEED=7 DURATION=5m       the storm of that seed
//	go test ./chaos                     90 seconds, as in make test
//	go test ./chaos -duration 0         every kind of fault once
//
// The processes are real: those of the embedded stack, and this test program again as the API and as workers of one role
// each, which reach their servers through proxies. Only the engine is a stand-in (plait/activities/comic/enginetest), so that two
// cores have time for faults; the model server is that of plait/internal/llmtest.
//
// Two faults are nearer to the real thing than the thing itself is to be had without being root. A full disk is a limit on the
// size of files that the process sets itself (setrlimit, RLIMIT_FSIZE): writes fail in the kernel, half-way through a blob, with
// another errno. A skewed clock is seen in what is compared with it: the times that Temporal sends to the worker are moved.
//
// The story of a run, each line a fault or what became of a process, is in build/chaos/SEED/storm.log, beside the logs of all
// processes. A failed check prints it, with the task, the page, and the seed that repeats it. The same seed gives the same
// chapters, the same wishes of customers and the same faults in the same order; when exactly a fault meets which step is up to the
// machine.
package chaos
