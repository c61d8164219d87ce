import { Button, Form, Input } from 'antd';
import { Upload } from '../../../../kernel/web/files/Upload.tsx';
import type { UploadedFile } from '../../../../kernel/web/files/places.ts';
import type { Attachment } from '../../contract/calls/liveCodes.ts';
import { MATERIAL_PURPOSE } from '../../contract/purposes.ts';

/** An attachment as the form holds it: its file is a file. */
export interface AttachmentValues {
  type: Attachment['type'];
  title: string;
  url?: string | null;
  file?: readonly UploadedFile[];
  appId?: string | null;
  path?: string | null;
}

const MOST = 9;
const KINDS: Readonly<Record<Attachment['type'], string>> = { link: '链接', image: '图片', mini: '小程序', file: '文件' };

export const attachmentValues = (attachments: readonly Attachment[]): AttachmentValues[] =>
  attachments.map(({ fileId, ...rest }) => ({ ...rest, ...(fileId && { file: [{ fileId, fileName: rest.title, detectedType: null, size: null, pageCount: null }] }) }));

export const attachmentsOf = (values: readonly AttachmentValues[] = []): Attachment[] =>
  values.map(({ type, title, url, file, appId, path }) => ({
    type, title, url: type === 'link' ? (url?.trim() ?? null) : null, fileId: type === 'link' ? null : (file?.[0]?.fileId ?? null), appId: type === 'mini' ? (appId?.trim() ?? null) : null, path: type === 'mini' ? (path?.trim() ?? null) : null,
  }));

const fileHint: Readonly<Record<string, string>> = { image: '请上传图片', file: '请上传文件', mini: '请上传小程序封面' };

function Fields({ at, type }: { at: number; type: Attachment['type'] }) {
  return (
    <>
      <Form.Item label="标题" name={[at, 'title']} rules={[{ required: true, whitespace: true, message: '请输入标题' }]}><Input maxLength={60} /></Form.Item>
      {type === 'link' && <Form.Item label="地址" name={[at, 'url']} rules={[{ required: true, pattern: /^https:\/\/\S+$/, message: '请输入https地址' }]}><Input maxLength={500} placeholder="https://…" /></Form.Item>}
      {type === 'mini' && (
        <>
          <Form.Item label="小程序AppID" name={[at, 'appId']} rules={[{ required: true, pattern: /^wx[0-9a-f]{16}$/, message: '请输入正确的AppID' }]}><Input maxLength={18} placeholder="wx…" /></Form.Item>
          <Form.Item label="页面路径" name={[at, 'path']} rules={[{ required: true, message: '请输入页面路径' }]}><Input maxLength={200} placeholder="pages/index/index" /></Form.Item>
        </>
      )}
      {type !== 'link' && <Form.Item label={type === 'mini' ? '封面' : KINDS[type]} name={[at, 'file']} rules={[{ required: true, message: fileHint[type]! }]}><Upload purpose={MATERIAL_PURPOSE} max={1} /></Form.Item>}
    </>
  );
}

/** Links, pictures, mini programs and documents that follow the words of a welcome, nine at most. */
export function WelcomeAttachments() {
  const form = Form.useFormInstance<{ attachments?: AttachmentValues[] }>();
  return (
    <Form.List name="attachments">
      {(entries, { add, remove }) => (
        <Form.Item label={`附件（${entries.length} / ${MOST}）`}>
          {entries.map((entry) => {
            const type = (form.getFieldValue(['attachments', entry.name, 'type']) as Attachment['type'] | undefined) ?? 'link';
            return (
              <div key={entry.key} className="ch-member">
                <div className="kq-row"><b>{KINDS[type]}</b><Button type="link" size="small" danger onClick={() => remove(entry.name)}>移除</Button></div>
                <Form.Item name={[entry.name, 'type']} hidden><Input /></Form.Item>
                <Fields at={entry.name} type={type} />
              </div>
            );
          })}
          <span className="kq-row">{(Object.keys(KINDS) as Attachment['type'][]).map((type) => <Button key={type} type="dashed" size="small" disabled={entries.length >= MOST} onClick={() => add({ type, title: '' })}>添加{KINDS[type]}</Button>)}</span>
        </Form.Item>
      )}
    </Form.List>
  );
}
