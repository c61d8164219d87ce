import { useMemo } from 'react';
import { Upload } from '#kernel/web/files/Upload.tsx';
import type { UploadedFile } from '#kernel/web/files/places.ts';
import { useData } from '#kernel/web/http/queries.ts';
import { queryFileList } from '#domains/files/contract/calls/objects.ts';

interface FilesProps {
  id?: string;
  purpose: string;
  /** Ids, as the calls take them. */
  value?: readonly string[] | undefined;
  onChange?(ids: string[]): void;
  max: number;
  hint?: string;
  /** Record whose files are known by name. */
  ownerType: string;
  ownerId?: string | undefined;
}

/** Files of a record: names come from the record's own list, new ones from the upload. */
export function FilesField({ value, onChange, ownerType, ownerId, ...rest }: FilesProps) {
  const { data } = useData(
    queryFileList,
    { ownerType, ownerId: ownerId ?? '0' },
    { enabled: ownerId !== undefined, quiet: true, fresh: 60_000 },
  );
  const files = useMemo(() => {
    const known = new Map((data ?? []).map((file) => [file.fileId, file]));
    return (value ?? []).map((fileId): UploadedFile => {
      const file = known.get(fileId) ?? fresh.get(fileId);
      return {
        fileId,
        fileName: file?.fileName ?? `文件${fileId}`,
        detectedType: file?.detectedType ?? null,
        size: file?.size ?? null,
        pageCount: file?.pageCount ?? null,
      };
    });
  }, [data, value]);
  return (
    <Upload
      {...rest}
      value={files}
      onChange={(next) => {
        for (const file of next) fresh.set(file.fileId, file);
        onChange?.(next.map((file) => file.fileId));
      }}
    />
  );
}

/** Names of what was uploaded in this page and is not linked to a record yet. */
const fresh = new Map<string, UploadedFile>();

/** One file; the value is its id or null. */
export function FileField({
  value,
  onChange,
  ...rest
}: Omit<FilesProps, 'value' | 'onChange' | 'max'> & { value?: string | null; onChange?(id: string | null): void }) {
  return <FilesField {...rest} max={1} value={value ? [value] : []} onChange={(ids) => onChange?.(ids.at(-1) ?? null)} />;
}
