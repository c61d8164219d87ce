import { Button } from 'antd';
import { Component, lazy, Suspense } from 'react';
import type { ComponentType, ReactNode } from 'react';

/** A lazy page chunk fails after this long (specification section 8). */
const CHUNK_TIMEOUT_MS = 120_000;

type Loader = () => Promise<{ default: ComponentType }>;

/** Fails when the chunk has not arrived within 120 s. */
export function withTimeout<T>(loading: Promise<T>, ms = CHUNK_TIMEOUT_MS): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('chunk timeout')), ms);
    loading.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

const loaded = new Map<Loader, ComponentType>();

/** The page behind a loader; one lazy component per loader. */
function pageOf(load: Loader): ComponentType {
  const there = loaded.get(load);
  if (there) return there;
  const made = lazy(() => withTimeout(load()));
  loaded.set(load, made);
  return made;
}

/** What stands instead of a page that did not arrive or broke. */
export const PageFailed = () => (
  <div className="kq-panel">
    <h2>页面加载失败</h2>
    <p>网络中断或系统刚刚更新过，请重新加载页面。</p>
    <Button type="primary" onClick={() => location.reload()}>
      重新加载
    </Button>
  </div>
);

/** Offers to load again when a page's chunk did not arrive or the page broke. */
class PageBoundary extends Component<{ children: ReactNode }, { error: unknown }> {
  override state: { error: unknown } = { error: null };

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override componentDidCatch(error: unknown) {
    console.error('A page failed', error);
  }

  override render() {
    return this.state.error ? <PageFailed /> : this.props.children;
  }
}

/** A page with its boundary, and a thin progress bar while its chunk is on the way. */
export function PageView({ load }: { load: Loader }) {
  const Page = pageOf(load);
  return (
    <PageBoundary>
      <Suspense fallback={<div className="kq-loading" role="progressbar" aria-label="页面加载中" />}>
        <Page />
      </Suspense>
    </PageBoundary>
  );
}
