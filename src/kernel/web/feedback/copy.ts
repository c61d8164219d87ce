import { toast } from './toast.ts';

/** Where the browser grants the clipboard to secure origins only: through a field that is selected for a moment. */
function copySelected(text: string): boolean {
  const focused = document.activeElement;
  const field = document.createElement('textarea');
  field.value = text;
  // Inside the dialog, whose focus trap would take the selection away otherwise.
  (focused?.closest('[role=dialog]') ?? document.body).append(field);
  field.select();
  const copied = document.execCommand('copy');
  field.remove();
  if (focused instanceof HTMLElement) focused.focus();
  return copied;
}

/** Copies a text and says whether that went well. */
export async function copyText(text: string, said = '已复制'): Promise<boolean> {
  const copied = window.isSecureContext
    ? await navigator.clipboard.writeText(text).then(
        () => true,
        () => false,
      )
    : copySelected(text);
  toast(copied ? said : '浏览器不允许复制，请手动选中后复制', copied ? 'success' : 'warning');
  return copied;
}
