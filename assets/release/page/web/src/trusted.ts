// No string becomes HTML on this page, not even one that a library hands over: what would be HTML is nothing.
// Imported first, so that it holds before any library runs.

interface TrustedTypes {
  createPolicy(name: string, rules: { createHTML: () => string }): unknown;
}

(globalThis as { trustedTypes?: TrustedTypes }).trustedTypes?.createPolicy("default", { createHTML: () => "" });
