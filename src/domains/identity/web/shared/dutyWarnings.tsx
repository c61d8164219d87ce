import { ask } from '../../../../kernel/web/feedback/dialogs.tsx';

/** What a saved act was warned of: it stands, and the operator reads why it should not. */
export function showWarnings(warnings: readonly string[]): void {
  if (warnings.length === 0) return;
  void ask({
    title: '职责提醒',
    width: 560,
    ok: '知道了',
    cancel: '关闭',
    content: (
      <>
        <p>已保存。同一单据的经办与审核建议由两人担任：</p>
        <ul>
          {warnings.map((text) => (
            <li key={text}>{text}</li>
          ))}
        </ul>
      </>
    ),
  });
}

/** A row of a batch that succeeded. */
export const doneText = (warnings: readonly string[]): string =>
  warnings.length > 0 ? `成功（职责提醒：${warnings.join('；')}）` : '成功';
