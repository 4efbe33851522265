// What a file keeps sealed until an answer is given. No server holds the key: anyone who reads this script can derive
// it.

const KEY_LABEL = "tailscope-class-file";

export const canUnseal = () => Boolean(globalThis.crypto?.subtle);

// Opens `{salt, iv, data}` in base 64, sealed by explorer/school/class_file/sealed_parts.py: JSON, padded with blanks.
export async function unseal({ salt, iv, data }) {
  const bytes = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(KEY_LABEL + salt));
  const key = await crypto.subtle.importKey("raw", bytes, "AES-GCM", false, ["decrypt"]);
  const opened = await crypto.subtle.decrypt({ name: "AES-GCM", iv: decodeBase64(iv) }, key, decodeBase64(data));
  return JSON.parse(new TextDecoder().decode(opened));
}

function decodeBase64(text) {
  return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
}
