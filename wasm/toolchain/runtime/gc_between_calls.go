//go:build gc.leaking

package runtime

// TinyGo's collector runs whenever an allocation finds no room, so on
// WebAssembly the compiler has every function record the pointers it holds on a
// shadow stack: a fifth of the module's size, and time in every call. Parley's
// module does its work in calls that end, and between two of them nothing on the
// stack points into the heap. So it collects there and only there; within a call
// the heap grows.
//
// The target asks for the "leaking" collector, for which the compiler records
// nothing, and setup.sh puts TinyGo's own precise collector in its place.

// onlyBetweenCalls keeps alloc from collecting.
const onlyBetweenCalls = true

// collectedAt is gcTotalAlloc at the last collection.
var collectedAt uint64

// collectBetweenCalls collects garbage if half the heap was allocated since the
// last time. No pointer into the heap may be on the stack.
func collectBetweenCalls() {
	if gcTotalAlloc-collectedAt > uint64(uintptr(metadataStart)-heapStart)/2 {
		collectedAt = gcTotalAlloc
		runGC()
	}
}

// gcMarkReachable marks from the globals alone.
func gcMarkReachable() { findGlobals(markRoots) }

func gcResumeWorld() {}
