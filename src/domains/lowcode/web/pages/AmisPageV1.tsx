import { lazy, Suspense } from 'react';
import { param } from '#kernel/web/router/address.ts';
import { useAddress } from '#kernel/web/tabs/page.tsx';
import '../bridge/lowcode.css';
import { PageDesk } from './PageDesk.tsx';

const Editor = lazy(async () => ({ default: (await import('../editor/Editor.tsx')).Editor }));
const address = { id: param.optional(), versionId: param.optional() };

/** /amisPageV1: the list of pages, and with `?id=` the editor of one of them. */
export default function AmisPageV1() {
  const [{ id, versionId }, setAddress] = useAddress(address);
  if (id === undefined) return <PageDesk onEdit={(page, version) => setAddress({ id: page, versionId: version }, { push: true })} />;
  return (
    <Suspense fallback={<div className="kq-loading" role="progressbar" aria-label="页面加载中" />}>
      <Editor key={id} pageId={id} versionId={versionId ?? null} onLeave={() => setAddress({ id: undefined, versionId: undefined })} />
    </Suspense>
  );
}
