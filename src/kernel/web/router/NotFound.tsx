import { isFilled, Slot, slot } from '../slots.tsx';

/** The catch-all page; identity fills it. */
export const notFoundPage = slot('notFoundPage');

/** 页面不存在. */
export function NotFound() {
  if (isFilled(notFoundPage)) return <Slot of={notFoundPage} props={{}} />;
  return (
    <main className="kq-panel">
      <h2>页面不存在</h2>
      <p>地址可能已变更，请从菜单进入。</p>
      <a href="/">返回首页</a>
    </main>
  );
}
