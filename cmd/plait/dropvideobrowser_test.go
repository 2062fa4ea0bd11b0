package main

import (
	"bytes"
	"encoding/binary"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"plait/internal/video/ffmpeg/ffmpegtest"
)

// A person has a video enlarged, whose upload is cut off, and has one made of a picture. The console of the browser stays empty, and axe finds
// nothing.
func TestVideosInABrowser(t *testing.T) {
	t.Parallel()
	s := &site{sandbox: newUnwatched(t, "PLAIT_HTTP_ADDRESS="+freeAddress(t))}
	b := openBrowser(t)
	defer b.saidNothing()
	b.do(chromedp.Navigate(s.start()))
	b.shows("Or a video, to enlarge it")
	enlarge(b)
	film(b)
}

// enlarge drops a video of 20 MiB, stops its upload, and goes on after a reload with the parts that are missing.
func enlarge(b *browser) {
	t := b.t.(*testing.T)
	clip := ffmpegtest.Make(t, "-f", "lavfi", "-i", "testsrc=size=32x18:rate=5:duration=1", "clip.mp4")
	content, err := os.ReadFile(clip)
	require.NoError(t, err)
	// A box that players skip, at the end of the file.
	const free = 20 << 20
	box := append(binary.BigEndian.AppendUint32(nil, free), "free"...)
	large := filepath.Join(t.TempDir(), "clip.mp4")
	require.NoError(t, os.WriteFile(large, bytes.Join([][]byte{content, box, make([]byte, free-len(box))}, nil), 0o600))

	b.choose("#files", large, example("small", "01.png"))
	b.shows("clip.mp4 is a video: start with it alone.")
	b.press("Discard")
	b.until(`location.hash === "#/"`)
	b.choose("#files", large)
	b.shows("New video")
	b.until(`document.querySelector("main video").videoWidth === 32`)
	b.set("#video-scale", "2")
	b.press("Estimate cost and time")
	b.shows("Place in the queue")
	b.everyWay("video-new", "New video", "新视频")

	sent := func() (n int) {
		b.do(chromedp.Evaluate(`performance.getEntriesByType("resource").filter((e) => e.name.endsWith("/v1/blobs") && e.responseStatus === 201).length`, &n))
		return n
	}
	b.do(network.Enable(), network.EmulateNetworkConditions(false, 0, -1, 4<<20))
	b.press("Enlarge")
	b.until(`performance.getEntriesByType("resource").some((e) => e.name.endsWith("/v1/blobs") && e.responseStatus === 201)`)
	b.press("Stop the upload")
	b.until(`!document.querySelector("form [role=progressbar]")`)
	b.kept()
	before := sent()
	require.Less(t, before, 3, "it was cut off")
	b.do(network.EmulateNetworkConditions(false, 0, -1, -1))
	b.reload()
	b.shows("clip.mp4")
	b.press("Enlarge")
	b.until(`location.hash.startsWith("#/tasks/")`)
	require.Equal(t, 3-before+1, sent(), "the parts that are missing, and the request that joins them")
	b.shows("Enlarged video")
	b.until(`document.querySelector("main video")?.videoWidth === 64`)
	b.accessible()
}

// film has a video made of a picture.
func film(b *browser) {
	b.visit("#/")
	b.shows("Enlarged video")
	b.choose("#files", example("small", "01.png"))
	b.set("#make", "video")
	b.set("#video-prompt", "slow zoom in")
	b.set("#video-duration", "3")
	b.everyWay("video-picture", "Prompt", "提示词")
	b.press("Make the video")
	b.until(`location.hash.startsWith("#/tasks/")`)
	b.shows("slow zoom in")
	b.until(`document.querySelector("main video")?.duration === 3`)
	b.everyWay("video", "It is kept for 24 hours", "完成后保留 24 小时")
}
