import { FilePreview } from '#kernel/web/files/FilePreview.tsx';
import type { UploadedFile } from '#kernel/web/files/places.ts';

/** 收付款凭证 of a payment or refund, over the page. */
export function ProofPreview({ file, onClose, ...owner }: { ownerType: string; ownerId: string; file: UploadedFile; onClose(): void }) {
  return <FilePreview {...owner} files={[file]} index={0} onClose={onClose} />;
}
