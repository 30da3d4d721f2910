package postgres_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/parley-mcp/parley/hosts/go/store/postgres"
	"github.com/parley-mcp/parley/hosts/go/store/storetest"
)

// authority is one that a test has made.
type authority struct {
	cert *x509.Certificate
	key  *ecdsa.PrivateKey
	file string // its certificate
}

func newAuthority(t *testing.T, name string) *authority {
	t.Helper()
	a := &authority{file: filepath.Join(t.TempDir(), "ca.crt")}
	var text []byte
	a.cert, a.key, text = certify(t, nil, &x509.Certificate{Subject: pkix.Name{CommonName: name}, IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign})
	must(t, os.WriteFile(a.file, text, 0o600))
	return a
}

// serve has the server ask for TLS, with a certificate for names and addresses.
func (a *authority) serve(t *testing.T, name string, ips ...net.IP) {
	t.Helper()
	_, key, cert := certify(t, a, &x509.Certificate{Subject: pkix.Name{CommonName: name}, DNSNames: []string{name}, IPAddresses: ips})
	der, err := x509.MarshalPKCS8PrivateKey(key)
	must(t, err)
	settings := []string{"ssl=on"}
	for setting, text := range map[string][]byte{
		"ssl_cert_file": cert, "ssl_key_file": pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der}),
		"hba_file": []byte("hostssl all all 127.0.0.1/32 trust\n"),
	} {
		file, err := server.File(setting, text)
		must(t, err)
		settings = append(settings, setting+"="+file)
	}
	restart(t, settings...)
}

// certify signs a certificate, by itself where there is no authority.
func certify(t *testing.T, by *authority, cert *x509.Certificate) (*x509.Certificate, *ecdsa.PrivateKey, []byte) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	must(t, err)
	cert.SerialNumber, cert.NotBefore, cert.NotAfter = big.NewInt(1), time.Now().Add(-time.Hour), time.Now().Add(24*time.Hour)
	parent, signer := cert, key
	if by != nil {
		parent, signer = by.cert, by.key
	}
	der, err := x509.CreateCertificate(rand.Reader, cert, parent, &key.PublicKey, signer)
	must(t, err)
	cert, err = x509.ParseCertificate(der)
	must(t, err)
	return cert, key, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
}

// A server is spoken to over TLS as the URL says: one that another authority stands
// for is refused, and so are one of another name, and one without TLS.
func TestTLS(t *testing.T) {
	schema, ours, others := newSchema(), newAuthority(t, "ours"), newAuthority(t, "another's")
	over := func(mode string, a *authority) string {
		return urlOf(schema) + "&sslmode=" + mode + "&sslrootcert=" + url.QueryEscape(a.file)
	}
	refused := func(what, url, want string) {
		t.Helper()
		_, err := postgres.Open(t.Context(), url, postgres.Options{Unsealed: true, Timeout: 5 * time.Second})
		wantSaid(t, what, err, want)
	}
	refused("a server without TLS", over("verify-full", ours), "TLS")
	defer restart(t)

	ours.serve(t, "db.example.com", net.IPv4(127, 0, 0, 1))
	s := open(t, over("verify-full", ours), postgres.Options{})
	storetest.Put(t, s, "a", "1")
	must(t, storetest.Take(t, s, "a", "1").Release(t.Context()))
	encrypted := 0
	must(t, adminAt(t, over("verify-full", ours)).QueryRow(t.Context(),
		"select count(*) from pg_stat_ssl join pg_stat_activity using (pid) where ssl and application_name = 'parley'").Scan(&encrypted))
	if encrypted == 0 {
		t.Error("no connection of the store's is encrypted")
	}
	refused("another's authority", over("verify-full", others), "certificate")
	refused("no authority", urlOf(schema)+"&sslmode=verify-full", "certificate")
	refused("no TLS, where the server asks for it", urlOf(schema)+"&sslmode=disable", "refuses the user")

	ours.serve(t, "db.example.com")
	refused("another's name", over("verify-full", ours), "certificate")
	must(t, storetest.Take(t, open(t, over("verify-ca", ours), postgres.Options{}), "a", "1").Done(t.Context()))

	// At a store that is open, each new connection is one to be checked.
	others.serve(t, "db.example.com", net.IPv4(127, 0, 0, 1))
	hasty := open(t, over("verify-full", others), postgres.Options{Timeout: time.Second})
	ours.serve(t, "db.example.com", net.IPv4(127, 0, 0, 1))
	_, err := hasty.Create(t.Context(), "b")
	wantSaid(t, "another's server since", err, "certificate")
}

// A server that is not this machine is spoken to over TLS unless the URL says
// otherwise.
func TestTLSElsewhere(t *testing.T) {
	addresses, err := net.InterfaceAddrs()
	must(t, err)
	for _, address := range addresses {
		at, ok := address.(*net.IPNet)
		if !ok || at.IP.IsLoopback() || at.IP.To4() == nil {
			continue
		}
		proxy := newCutter(t, at.IP.String())
		url := strings.Replace(urlOf(newSchema()), server.Address(), proxy.Address(), 1)
		_, err = postgres.Open(t.Context(), url, postgres.Options{Unsealed: true, Timeout: 5 * time.Second})
		wantSaid(t, "a server without TLS", err, "TLS")
		storetest.Put(t, open(t, url+"&sslmode=disable", postgres.Options{}), "a", "1")
		return
	}
	t.Skip("this machine has no address but its own")
}
