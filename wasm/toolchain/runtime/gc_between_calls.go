//go:build gc.leaking

package runtime

import "unsafe"

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

// taken is no less than the room that allocations took so far. Each takes whole
// blocks and has a header, so that a small one takes many times its size.
func taken() uint64 {
	return gcTotalAlloc + gcMallocs*uint64(bytesPerBlock+unsafe.Sizeof(objHeader{}))
}

var (
	collectedAt uint64 // taken() at the last collection
	room        uint64 // what may be taken before the next one
)

// collectBetweenCalls collects garbage once three quarters of what was free
// after the last time are taken, and at least so many bytes as spare says: the
// last quarter is for the call that comes and for what does not fit between
// things that stay. A heap of which less than a third is free grows, lest it be
// searched again and again. No pointer into the heap may be on the stack.
func collectBetweenCalls(spare uint32) {
	if taken()-collectedAt <= max(room, uint64(spare)) {
		return
	}
	free := runGC()
	if size := uintptr(metadataStart) - heapStart; free < size/3 && growHeap() {
		free += uintptr(metadataStart) - heapStart - size
	}
	collectedAt, room = taken(), uint64(free)/4*3
}

// gcMarkReachable marks from the globals alone.
func gcMarkReachable() { findGlobals(markRoots) }

func gcResumeWorld() {}
