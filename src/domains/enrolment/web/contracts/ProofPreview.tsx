import { FilePreview } from '#kernel/web/files/FilePreview.tsx';

/** 收付款凭证 of a payment or refund, over the page. */
export function ProofPreview({ fileId, onClose, ...owner }: { ownerType: string; ownerId: string; fileId: string; onClose(): void }) {
  return <FilePreview {...owner} files={[{ fileId, fileName: '收付款凭证' }]} index={0} onClose={onClose} />;
}
