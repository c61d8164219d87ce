import { Button, Form, Input, Select } from 'antd';
import { Upload } from '../../../../kernel/web/files/Upload.tsx';
import type { UploadedFile } from '../../../../kernel/web/files/places.ts';
import type { Attachment } from '../../contract/calls/liveCodes.ts';
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
  files?: readonly UploadedFile[];
}

export const attachmentOf = ({ type, title, url, appId, path, files }: AttachmentValues): Attachment => ({
  type,
  title,
  url: type === 'link' ? (url?.trim() ?? null) : null,
  fileId: type === 'link' ? null : (files?.[0]?.fileId ?? null),
  appId: type === 'mini' ? (appId?.trim() ?? null) : null,
  path: type === 'mini' ? (path?.trim() ?? null) : null,
});
export const attachmentValues = ({ type, title, url, fileId, appId, path }: Attachment): AttachmentValues => ({
  type,
  title,
  ...(url !== null && { url }),
  ...(appId !== null && { appId }),
  ...(path !== null && { path }),
  ...(fileId !== null && { files: [{ fileId, fileName: title, detectedType: null, size: null, pageCount: null }] }),
});

/** One attachment: which fields it has depends on its kind. */
function Attached({ at, onRemove }: { at: number; onRemove(): void }) {
  const type = (Form.useWatch(['attachments', at, 'type']) as Kind | undefined) ?? 'link';
  return (
    <div className="ch-member">
      <div className="ch-attached">
        <Form.Item name={[at, 'type']}>
          <Select options={Object.entries(kinds).map(([value, label]) => ({ value, label }))} aria-label="附件类型" />
        </Form.Item>
        <Form.Item name={[at, 'title']} rules={[{ required: true, whitespace: true, message: '请输入标题' }]}>
          <Input maxLength={60} placeholder="标题" />
        </Form.Item>
        <Button type="link" danger onClick={onRemove}>
          移除
        </Button>
      </div>
      {type === 'link' && (
        <Form.Item
          name={[at, 'url']}
          rules={[{ required: true, pattern: /^https:\/\/[^\s/]+(\/\S*)?$/, message: '请输入https开头的链接地址' }]}
        >
          <Input maxLength={500} placeholder="https://…" />
        </Form.Item>
      )}
      {type === 'mini' && (
        <div className="ch-two">
          <Form.Item
            name={[at, 'appId']}
            rules={[{ required: true, pattern: /^wx[0-9a-f]{16}$/, message: 'AppID为wx加16位数字或小写字母' }]}
          >
            <Input maxLength={18} placeholder="小程序AppID" />
          </Form.Item>
          <Form.Item name={[at, 'path']} rules={[{ required: true, pattern: /^[\w/.-]{1,200}$/, message: '请输入小程序页面路径' }]}>
            <Input maxLength={200} placeholder="页面路径" />
          </Form.Item>
        </div>
      )}
      {type !== 'link' && (
        <Form.Item
          name={[at, 'files']}
          rules={[{ required: true, type: 'array', min: 1, message: '请上传附件的文件' }]}
          valuePropName="value"
        >
          <Upload
            purpose={MATERIAL_PURPOSE}
            max={1}
            hint={type === 'mini' ? '点击或拖入封面图' : type === 'image' ? '点击或拖入图片' : '点击或拖入文件'}
          />
        </Form.Item>
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
