import { Button, Drawer, Form, Input, Radio, Select } from 'antd';
import { againstNow } from '#kernel/web/form/formRules.ts';
import { Field } from '#kernel/web/form/Field.tsx';
import type { InputOf } from '#kernel/contract/call.ts';
import { Facts } from '#kernel/web/detail/DetailLayout.tsx';
import { FormDrawer } from '#kernel/web/form/FormDrawer.tsx';
import { Dict, NOTHING, Time } from '#kernel/web/kit/values.tsx';
import { addNotice, modifyNotice, queryNoticeList, type Notice } from '../../contract/calls/notices.ts';
import { noticeLevels } from '../../contract/dictionaries.ts';
import { noticeStates } from '../../contract/states.ts';
import { InstantInput } from '#kernel/web/form/InstantInput.tsx';
import { PermissionFilter } from '../shared/PermissionSelect.tsx';
import { useRoles } from '../shared/roles.ts';
import { NoticeBody } from '../shell/NoticeBody.tsx';

interface Values {
  title: string;
  body: string;
  level: (typeof noticeLevels.codes)[number];
  to: 'all' | 'roles' | 'permission';
  roleCodes?: string[];
  permission?: string | null;
  link?: string;
  publishAt?: string | null;
  expireAt?: string | null;
}

const labels = { title: '标题', body: '内容', level: '级别', link: '链接', publishAt: '发布时间', expireAt: '失效时间' };

const bodyOf = (values: Values): InputOf<typeof addNotice> => ({
  title: values.title,
  body: values.body,
  level: values.level,
  audience:
    values.to === 'all'
      ? { all: true }
      : values.to === 'roles'
        ? { roleCodes: values.roleCodes ?? [] }
        : { permission: values.permission ?? '' },
  link: values.link?.trim() || null,
  publishAt: values.publishAt ?? null,
  expireAt: values.expireAt ?? null,
});

const initialOf = (notice: Notice | null): Partial<Values> =>
  notice
    ? {
        title: notice.title,
        body: notice.body,
        level: notice.level,
        link: notice.link ?? '',
        publishAt: notice.publishAt,
        expireAt: notice.expireAt,
        to: notice.audience.all ? 'all' : notice.audience.permission ? 'permission' : 'roles',
        roleCodes: notice.audience.roleCodes ?? [],
        permission: notice.audience.permission ?? null,
      }
    : { level: 'INFO', to: 'all' };

/** Drawer of an announcement: a draft is edited, a published one is only shown. */
export function AnnouncementForm({ notice, onClose }: { notice: Notice | null; onClose(): void }) {
  const [form] = Form.useForm<Values>();
  const roles = useRoles();
  const to = Form.useWatch('to', form) ?? initialOf(notice).to;
  const draft = Form.useWatch([], form) as Partial<Values> | undefined;
  if (notice && notice.state !== 'DRAFT') return <Shown notice={notice} onClose={onClose} />;
  const shared = {
    open: true,
    form,
    labels,
    onClose,
    initial: initialOf(notice),
    refreshes: [queryNoticeList],
    footer: <span className="kq-muted">保存后为草稿，在列表中发布</span>,
  } as const;
  const fields = (
    <>
      <Field of={addNotice} name="title">
        <Input showCount />
      </Field>
      <Field of={addNotice} name="body" extra="纯文本，其中的网址会显示为链接">
        <Input.TextArea rows={8} showCount />
      </Field>
      <div className="id-two">
        <Field of={addNotice} name="level">
          <Radio.Group options={noticeLevels.options.map(({ value, label }) => ({ value, label }))} />
        </Field>
        <Field of={addNotice} name="link" placeholder="系统内路由，如 /userManagement，可不填" />
      </div>
      <Form.Item label="接收范围" name="to">
        <Radio.Group
          options={[
            { value: 'all', label: '全部用户' },
            { value: 'roles', label: '指定角色' },
            { value: 'permission', label: '拥有权限的用户' },
          ]}
        />
      </Form.Item>
      {to === 'roles' && (
        <Form.Item label="角色" name="roleCodes" rules={[{ required: true, type: 'array', min: 1, message: '请选择接收范围' }]}>
          <Select
            mode="multiple"
            placeholder="请选择角色"
            showSearch={{ optionFilterProp: 'label' }}
            options={(roles ?? []).map((role) => ({ value: role.roleCode, label: role.name }))}
          />
        </Form.Item>
      )}
      {to === 'permission' && (
        <Form.Item label="权限" name="permission" rules={[{ required: true, message: '请选择接收范围' }]}>
          <PermissionFilter placeholder="请选择权限" />
        </Form.Item>
      )}
      <div className="id-two">
        <Field of={addNotice} name="publishAt" tooltip="不填则发布后立即可见">
          <InstantInput />
        </Field>
        <Field
          of={addNotice}
          name="expireAt"
          tooltip="不填为长期"
          rules={[againstNow((at?: string | null) => (at && Date.parse(at) <= Date.now() ? '失效时间须晚于当前时间' : null))]}
        >
          <InstantInput />
        </Field>
      </div>
      <Form.Item label="预览">
        <Preview title={draft?.title ?? ''} body={draft?.body ?? ''} level={draft?.level ?? 'INFO'} />
      </Form.Item>
    </>
  );
  if (notice) {
    return (
      <FormDrawer<typeof modifyNotice, Values>
        {...shared}
        title="编辑公告"
        call={modifyNotice}
        recordKey={notice.id}
        version={notice.version}
        toInput={(values) => ({ id: notice.id, version: notice.version, ...bodyOf(values) })}
        success="修改成功!"
      >
        {fields}
      </FormDrawer>
    );
  }
  return (
    <FormDrawer<typeof addNotice, Values> {...shared} title="新增公告" call={addNotice} toInput={bodyOf} success="新增成功!">
      {fields}
    </FormDrawer>
  );
}

function Preview({ title, body, level }: { title: string; body: string; level: string }) {
  return (
    <div className="id-preview-notice">
      <h4>
        {level !== 'INFO' && <Dict of={noticeLevels} code={level} />} {title || '（标题）'}
      </h4>
      <NoticeBody text={body || '（内容）'} />
    </div>
  );
}

function Shown({ notice, onClose }: { notice: Notice; onClose(): void }) {
  const roles = useRoles();
  const names = notice.audience.roleCodes?.map((code) => roles?.find((role) => role.roleCode === code)?.name ?? code).join('、');
  return (
    <Drawer open title={`公告 ${notice.noticeNo}`} size={640} onClose={onClose} footer={<Button onClick={onClose}>关闭</Button>}>
      <Preview title={notice.title} body={notice.body} level={notice.level} />
      <Facts
        columns={2}
        facts={[
          { label: '状态', value: <Dict of={noticeStates.dictionary} code={notice.state} /> },
          { label: '已读人数', value: notice.readCount },
          { label: '接收范围', value: notice.audience.all ? '全部用户' : names || notice.audience.permission || NOTHING, wide: true },
          { label: '点击前往', value: notice.link ?? NOTHING, wide: true },
          { label: '发布时间', value: <Time at={notice.publishAt} /> },
          { label: '失效时间', value: <Time at={notice.expireAt} /> },
          { label: '创建人', value: notice.createdByName ?? '系统' },
          { label: '创建时间', value: <Time at={notice.createdAt} /> },
        ]}
      />
    </Drawer>
  );
}
