// Package bubbles finds speech bubbles and blocks of text on a page, with a model of the RT-DETRv2 family ("RT-DETRv2:
// Improved Baseline with Bag-of-Freebies for Real-Time Detection Transformer", Lv et al., 2024).
//
// The model sees the whole page stretched to a square, so a strip is cut into windows that overlap by half its width; what
// two windows both see is joined into one box.
//
// No such model is in the base set. One that a manifest adds tells [Divide] which lines stand in which bubble.
package bubbles
