import { Button, Form, Input, Select } from 'antd';
import { Upload } from '#kernel/web/files/Upload.tsx';
import type { UploadedFile } from '#kernel/web/files/places.ts';
import { Field } from '#kernel/web/form/Field.tsx';
import { attachment, type Attachment } from '../../contract/calls/liveCodes.ts';
import { MATERIAL_PURPOSE } from '../../contract/purposes.ts';

const kinds = { link: '链接', image: '图片', file: '文件', mini: '小程序' } as const;
type Kind = keyof typeof kinds;
const MOST = 9;

/** An attachment of a welcome as the form holds it. */
export interface AttachmentValues {
  type: Kind;
  title: string;
  url?: string;
  appId?: string;
  path?: string;
  fileId?: readonly UploadedFile[];
}

export const attachmentOf = ({ type, title, url, appId, path, fileId }: AttachmentValues): Attachment => ({
  type,
  title,
  url: type === 'link' ? (url?.trim() ?? null) : null,
  fileId: type === 'link' ? null : (fileId?.[0]?.fileId ?? null),
  appId: type === 'mini' ? (appId?.trim() ?? null) : null,
  path: type === 'mini' ? (path?.trim() ?? null) : null,
});
export const attachmentValues = ({ type, title, url, fileId, appId, path }: Attachment): AttachmentValues => ({
  type,
  title,
  ...(url !== null && { url }),
  ...(appId !== null && { appId }),
  ...(path !== null && { path }),
  ...(fileId !== null && { fileId: [{ fileId, fileName: title, detectedType: null, size: null, pageCount: null }] }),
});

/** One attachment: which fields it has depends on its kind. */
function Attached({ at, onRemove }: { at: number; onRemove(): void }) {
  const type = (Form.useWatch(['attachments', at, 'type']) as Kind | undefined) ?? 'link';
  return (
    <div className="ch-member">
      <div className="ch-attached">
        <Field of={attachment} name="type" within={[at]} label={false}>
          <Select options={Object.entries(kinds).map(([value, label]) => ({ value, label }))} aria-label="附件类型" />
        </Field>
        <Field of={attachment} name="title" within={[at]} label={false} placeholder="标题" />
        <Button type="link" danger onClick={onRemove}>
          移除
        </Button>
      </div>
      {type === 'link' && (
        <Field of={attachment} name="url" within={[at]} label={false} required>
          <Input placeholder="https://…" />
        </Field>
      )}
      {type === 'mini' && (
        <div className="ch-two">
          <Field of={attachment} name="appId" within={[at]} label={false} required placeholder="小程序AppID" />
          <Field of={attachment} name="path" within={[at]} label={false} required placeholder="页面路径" />
        </div>
      )}
      {type !== 'link' && (
        <Field of={attachment} name="fileId" within={[at]} label={false} required>
          <Upload
            purpose={MATERIAL_PURPOSE}
            max={1}
            hint={type === 'mini' ? '点击或拖入封面图' : type === 'image' ? '点击或拖入图片' : '点击或拖入文件'}
          />
        </Field>
      )}
    </div>
  );
}

/** What is sent along with a welcome: nine at most. */
export function AttachmentFields() {
  return (
    <Form.List name="attachments">
      {(entries, { add, remove }) => (
        <Form.Item label={`附件（最多${MOST}个）`}>
          {entries.map((entry) => (
            <Attached key={entry.key} at={entry.name} onRemove={() => remove(entry.name)} />
          ))}
          <Button type="dashed" size="small" disabled={entries.length >= MOST} onClick={() => add({ type: 'link' })}>
            添加附件
          </Button>
        </Form.Item>
      )}
    </Form.List>
  );
}
