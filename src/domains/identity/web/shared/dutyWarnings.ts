/** What a saved act was warned of: it stands, and the operator reads why it should not. */
export async function showWarnings(warnings: readonly string[]): Promise<void> {
  if (warnings.length > 0) (await import('./warningsDialog.tsx')).askWarnings(warnings);
}

/** A row of a batch that succeeded. */
export const doneText = (warnings: readonly string[]): string =>
  warnings.length > 0 ? `成功（职责提醒：${warnings.join('；')}）` : '成功';
