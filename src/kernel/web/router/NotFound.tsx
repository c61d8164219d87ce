/** 页面不存在, until a module brings the catch-all page (route `*`). */
export function NotFound() {
  return (
    <main className="kq-panel">
      <h1>页面不存在</h1>
      <p>地址可能已变更，请从菜单进入。</p>
      <a href="/">返回首页</a>
    </main>
  );
}
