// The words that are selected in an element or around it; never those of a password.
(el) => {
  if (!el || el.type === "password") return "";
  const whole = "value" in el && typeof el.selectionStart === "number";
  return whole ? el.value.slice(el.selectionStart, el.selectionEnd) : String(el.ownerDocument.getSelection());
};
