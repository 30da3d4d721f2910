package failures

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"io"
	"math/big"
	"net"
	"time"
)

// tls handles connections to a server over TLS that has something wrong:
//
//	plain               it speaks HTTP without TLS
//	hangs up            before the handshake is over
//	resets              before the handshake is over
//	handshake failure   it finds nothing that both speak
//	self-signed, expired, other host, unknown authority   its certificate
//	wants certificate   of the client, which it finds out it has not after the request was written
//	resets later        once the request was read
//
// signed tells that it is by the authority, which therefore has to be trusted
// if the failure is to be met.
func (s *Server) tls(wrong string) (handle func(net.Conn), signed bool, err error) {
	switch wrong {
	case "plain":
		return func(conn net.Conn) {
			readRecord(conn) // no request can be made of it
			io.WriteString(conn, "HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n")
		}, false, nil
	case "hangs up":
		return func(conn net.Conn) { readRecord(conn) }, false, nil
	case "resets":
		return func(conn net.Conn) { readRecord(conn); reset(conn) }, false, nil
	case "handshake failure":
		return func(conn net.Conn) {
			readRecord(conn)
			conn.Write([]byte{21, 3, 3, 0, 2, 2, 40}) // RFC 8446: an alert, fatal, handshake_failure
		}, false, nil
	}
	by, leaf := s.authority, &x509.Certificate{IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, NotAfter: time.Now().Add(24 * time.Hour)}
	config := &tls.Config{MinVersion: tls.VersionTLS13}
	answer := &Answer{Status: 500}
	switch wrong {
	case "self-signed":
		by = nil
	case "expired":
		leaf.NotAfter = time.Now().Add(-time.Hour)
	case "other host":
		leaf.IPAddresses, leaf.DNSNames = nil, []string{"other.invalid"}
	case "unknown authority":
		if by, err = newAuthority("Somebody"); err != nil {
			return nil, false, err
		}
	case "wants certificate":
		config.ClientAuth = tls.RequireAnyClientCert
	case "resets later":
		answer.Then = "reset"
	default:
		return nil, false, fmt.Errorf("nothing is known of TLS that is wrong by %q", wrong)
	}
	certificate, err := by.sign(leaf)
	if err != nil {
		return nil, false, err
	}
	config.Certificates = []tls.Certificate{certificate}
	return func(conn net.Conn) {
		secure := tls.Server(conn, config)
		if secure.Handshake() == nil {
			s.http(secure, answer)
			secure.Close()
		}
		// What the other side still writes is read, or the system resets the
		// connection, and what it was told is lost.
		conn.(*net.TCPConn).CloseWrite()
		io.Copy(io.Discard, conn)
	}, by == s.authority, nil
}

// readRecord reads what a client says first.
func readRecord(conn net.Conn) {
	var head [5]byte
	if _, err := io.ReadFull(conn, head[:]); err == nil {
		io.CopyN(io.Discard, conn, int64(head[3])<<8|int64(head[4]))
	}
}

// authority signs certificates.
type authority struct {
	certificate *x509.Certificate
	key         *ecdsa.PrivateKey
	pem         []byte
}

func newAuthority(name string) (*authority, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: name}, BasicConstraintsValid: true, IsCA: true,
		KeyUsage: x509.KeyUsageCertSign, NotBefore: time.Now().Add(-24 * time.Hour), NotAfter: time.Now().Add(24 * time.Hour),
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		return nil, err
	}
	certificate, err := x509.ParseCertificate(der)
	if err != nil {
		return nil, err
	}
	return &authority{certificate, key, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})}, nil
}

// sign completes a certificate and signs it; nil has it sign itself.
func (a *authority) sign(leaf *x509.Certificate) (tls.Certificate, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return tls.Certificate{}, err
	}
	leaf.SerialNumber, leaf.Subject = big.NewInt(2), pkix.Name{CommonName: "server"}
	leaf.NotBefore = time.Now().Add(-24 * time.Hour)
	leaf.KeyUsage, leaf.ExtKeyUsage = x509.KeyUsageDigitalSignature, []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}
	parent, by := leaf, key
	if a != nil {
		parent, by = a.certificate, a.key
	}
	der, err := x509.CreateCertificate(rand.Reader, leaf, parent, &key.PublicKey, by)
	if err != nil {
		return tls.Certificate{}, err
	}
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, nil
}
