// Copies the page's address, a link to what is displayed.

export async function copyLink(button, say) {
  const words = (button.dataset.words ??= button.textContent);
  try {
    await navigator.clipboard.writeText(location.href);
    button.textContent = "Copied";
  } catch {
    say("This browser does not allow copying. Copy the link from the address bar.");
  }
  setTimeout(() => (button.textContent = words), 1500);
}
