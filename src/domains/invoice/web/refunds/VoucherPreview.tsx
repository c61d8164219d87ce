import { FilePreview } from '#kernel/web/files/FilePreview.tsx';
import type { UploadedFile } from '#kernel/web/files/places.ts';

/** The paper of a transfer, over the page. */
export function VoucherPreview({ ownerId, file, onClose }: { ownerId: string; file: UploadedFile; onClose(): void }) {
  return <FilePreview ownerType="invoice.refund" ownerId={ownerId} files={[file]} index={0} onClose={onClose} />;
}
