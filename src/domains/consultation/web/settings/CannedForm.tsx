import { AutoComplete, Button, Form, Input, Radio, Switch } from 'antd';
import type { UploadedFile } from '#kernel/web/files/places.ts';
import { Upload } from '#kernel/web/files/Upload.tsx';
import { Field } from '#kernel/web/form/Field.tsx';
import { FormDialog } from '#kernel/web/form/FormDrawer.tsx';
import { SERVER_MESSAGE } from '#kernel/web/http/queries.ts';
import { useMay } from '#kernel/web/session/store.ts';
import { addCannedReply, cannedVariables, modifyCannedReply, queryCannedReplyList, type CannedRow } from '../../contract/calls/canned.ts';
import { consultationPermissions as may } from '../../contract/permissions.ts';

interface Values {
  scope: CannedRow['scope'];
  category: string;
  shortcut: string;
  title: string;
  content: string;
  files: readonly UploadedFile[];
  enabled: boolean;
}
const PURPOSE = 'CHAT_MEDIA';
const MOST_FILES = 3;
const CATEGORIES = ['问候', '用药', '检查', '保险直付', '结束语', '售后'].map((value) => ({ value }));
const labels = { scope: '范围', category: '分类', shortcut: '指令', title: '标题', content: '内容', files: '附件', enabled: '启用' };

/** One reply, new or as it stands; variables are put in by a click. */
export function CannedForm({ reply, onClose }: { reply: CannedRow | null; onClose(): void }) {
  const [form] = Form.useForm<Values>();
  const manages = useMay()(may['canned.manage']);
  const fieldsOf = ({ category, shortcut, title, content, files }: Values) => ({
    category,
    shortcut,
    title,
    content,
    attachmentFileIds: files.map(({ fileId }) => fileId),
  });
  const initial: Partial<Values> = reply
    ? {
        scope: reply.scope,
        category: reply.category,
        shortcut: reply.shortcut,
        title: reply.title,
        content: reply.content,
        enabled: reply.enabled,
        files: reply.attachments.map(({ fileId, fileName, detectedType }) => ({
          fileId,
          fileName,
          detectedType,
          size: null,
          pageCount: null,
        })),
      }
    : { scope: 'PRIVATE', enabled: true, files: [] };
  const insert = (name: string) => form.setFieldValue('content', `${form.getFieldValue('content') ?? ''}{{${name}}}`.slice(0, 1000));
  const body = (
    <>
      {!reply && manages && (
        <Form.Item name="scope" label="范围">
          <Radio.Group
            options={[
              { value: 'PRIVATE', label: '个人（仅自己可用）' },
              { value: 'PUBLIC', label: '公共（所有医助可用）' },
            ]}
          />
        </Form.Item>
      )}
      <Field of={addCannedReply} name="category">
        <AutoComplete options={CATEGORIES} placeholder="选择或输入分类" />
      </Field>
      <Field of={addCannedReply} name="shortcut" extra="在聊天输入框中键入 / 加指令即可调出">
        <Input prefix="/" />
      </Field>
      <Field of={addCannedReply} name="title">
        <Input showCount />
      </Field>
      <Field of={addCannedReply} name="content">
        <Input.TextArea rows={5} showCount />
      </Field>
      <p style={{ margin: '-12px 0 16px', display: 'flex', gap: 4, flexWrap: 'wrap', alignItems: 'center' }}>
        <span className="kq-muted">插入变量</span>
        {cannedVariables.map((name) => (
          <Button key={name} size="small" onClick={() => insert(name)}>
            {name}
          </Button>
        ))}
      </p>
      <Form.Item name="files" label="附件">
        <Upload purpose={PURPOSE} max={MOST_FILES} hint="图片或文件，最多3个" />
      </Form.Item>
      {reply && (
        <Form.Item name="enabled" label="启用" valuePropName="checked">
          <Switch />
        </Form.Item>
      )}
    </>
  );
  const shared = { open: true, form, width: 560, initial, labels, refreshes: [queryCannedReplyList], onClose } as const;
  return reply ? (
    <FormDialog<typeof modifyCannedReply, Values>
      {...shared}
      title="编辑快捷回复"
      call={modifyCannedReply}
      recordKey={reply.id}
      success="修改成功!"
      toInput={(values) => ({ id: reply.id, version: reply.version, enabled: values.enabled, ...fieldsOf(values) })}
    >
      {body}
    </FormDialog>
  ) : (
    <FormDialog<typeof addCannedReply, Values>
      {...shared}
      title="新增快捷回复"
      call={addCannedReply}
      success={SERVER_MESSAGE}
      toInput={(values) => ({ scope: values.scope ?? 'PRIVATE', ...fieldsOf(values) })}
    >
      {body}
    </FormDialog>
  );
}
