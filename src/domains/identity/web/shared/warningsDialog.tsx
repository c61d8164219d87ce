import { ask } from '#kernel/web/feedback/dialogs.tsx';

export function askWarnings(warnings: readonly string[]): void {
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
