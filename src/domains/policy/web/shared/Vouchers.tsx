import { FileButtons } from '#kernel/web/files/FileButtons.tsx';
import { useData } from '#kernel/web/http/queries.ts';
import { Waiting } from '#kernel/web/kit/TableState.tsx';
import { queryFileList } from '#domains/files/contract/calls/objects.ts';

/** Files that a record is based on; a click shows them large, with zoom and rotation. */
export function Vouchers({ ownerType, ownerId }: { ownerType: string; ownerId: string }) {
  const found = useData(queryFileList, { ownerType, ownerId }, { quiet: true });
  if (!found.data) return <Waiting for={found} />;
  const files = found.data.filter(({ state }) => state === 'READY');
  if (files.length === 0) return <p className="kq-muted">没有上传凭证</p>;
  return <FileButtons files={files} ownerType={ownerType} ownerId={ownerId} />;
}
