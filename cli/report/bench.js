// The benchmark's page.
