import { notice, useNotice } from './notice.ts';

/** What a colleague did meanwhile, said until it is closed or the next act: the toast of it is gone after a second. */
export function Notice() {
  const text = useNotice((state) => state.text);
  if (text === null) return null;
  return (
    <div className="kq-notice" role="alert">
      <span>{text}</span>
      <button type="button" className="kq-link" onClick={() => notice(null)}>
        知道了
      </button>
    </div>
  );
}
