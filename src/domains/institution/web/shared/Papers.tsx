import { FileButtons } from '#kernel/web/files/FileButtons.tsx';
import { useData } from '#kernel/web/http/queries.ts';
import { Waiting } from '#kernel/web/kit/TableState.tsx';
import { queryFileList } from '#domains/files/contract/calls/objects.ts';

/** Uploaded papers of a record; a click shows them large, with zoom and rotation. */
export function Papers({ ownerType, ownerId, empty = '没有上传材料' }: { ownerType: string; ownerId: string; empty?: string }) {
  const found = useData(queryFileList, { ownerType, ownerId }, { quiet: true });
  if (!found.data) return <Waiting for={found} />;
  const files = found.data.filter(({ state }) => state === 'READY');
  if (files.length === 0) return <p className="kq-muted">{empty}</p>;
  return <FileButtons files={files} ownerType={ownerType} ownerId={ownerId} />;
}
