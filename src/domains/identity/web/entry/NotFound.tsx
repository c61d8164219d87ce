import { goTo } from '#kernel/web/router/navigate.ts';
import { MessagePage } from './MessagePage.tsx';

/** Catch-all 404, also for an unknown low-code address. */
export default function NotFound() {
  return (
    <MessagePage
      whole
      title="页面不存在"
      buttons={
        <button type="button" className="id-submit" onClick={() => goTo('/', {}, { replace: true })}>
          返回首页
        </button>
      }
    >
      <p>您访问的地址不存在，可能已被移除或输入有误。</p>
    </MessagePage>
  );
}
