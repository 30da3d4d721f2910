// Package durable makes files outlast a power failure.
package durable
