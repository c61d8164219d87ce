import { useCallback, useState } from 'react';
import { FilePreview } from '../../../../../kernel/web/files/FilePreview.tsx';
import { groupIdOf } from '../desk/listing.ts';
import { useDeskState } from '../desk/useDesk.ts';

export interface ShownFile {
  fileId: string;
  fileName: string;
  detectedType?: string | null;
}

/** Pictures with zoom and turn, PDF pages, sound and video over the page; read as files of the group. */
export function useFilePreview() {
  const groupId = useDeskState((state) => (state.chat ? groupIdOf(state.chat.chosen.conversationID) : null));
  const [shown, setShown] = useState<{ files: readonly ShownFile[]; index: number } | null>(null);
  const open = useCallback((files: readonly ShownFile[], index = 0) => setShown({ files, index }), []);
  const preview = (
    <FilePreview
      files={
        shown &&
        shown.files.map(({ fileId, fileName, detectedType }) => ({
          fileId,
          fileName,
          detectedType: detectedType ?? fileName.toLowerCase().split('.').at(-1) ?? null,
          pageCount: null,
        }))
      }
      index={shown?.index ?? 0}
      onClose={() => setShown(null)}
      {...(groupId ? { ownerType: 'consultation.group', ownerId: groupId } : {})}
    />
  );
  return { open, preview };
}
export type OpenFile = ReturnType<typeof useFilePreview>['open'];
