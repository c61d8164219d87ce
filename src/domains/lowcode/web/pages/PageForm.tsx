import { Form, Input, Select, Upload as AntUpload } from 'antd';
import type { InputOf } from '#kernel/contract/call.ts';
import { toastError } from '#kernel/web/feedback/toast.ts';
import { Field } from '#kernel/web/form/Field.tsx';
import { FormDrawer } from '#kernel/web/form/FormDrawer.tsx';
import { SERVER_MESSAGE, useData } from '#kernel/web/http/queries.ts';
import { queryDatasetList } from '../../contract/calls/datasets.ts';
import { addPage, importPage, modifyPage, queryPageDetail, queryPageList, type PageRow } from '../../contract/calls/pages.ts';

type Values = InputOf<typeof addPage>;
type Imported = InputOf<typeof importPage>;
type Changed = InputOf<typeof modifyPage>;

const refreshes = [queryPageList];
const LEFT_MENUS = [
  { value: 'none', label: '无' },
  { value: 'corpus', label: '语料菜单' },
  { value: 'insurance', label: '保险业务菜单' },
];

const placeFields = (of: typeof addPage | typeof modifyPage) => (
  <>
    <Field of={of} name="token" placeholder="如 regionReport" extra="访问地址为 /标识，首次发布后不能修改" />
    <Field of={of} name="title" />
    <Field of={of} name="description" />
    <Form.Item name="trail" label="面包屑">
      <Select mode="tags" placeholder="依次输入上级名称，如 系统管理" maxCount={3} open={false} />
    </Form.Item>
    <Field of={of} name="leftMenu">
      <Select options={LEFT_MENUS} />
    </Field>
    <Field
      of={of}
      name="permission"
      placeholder="不填则使用页面自有权限"
      extra="填写权限代码，如 institution.hospital.view；不填则按页面标识生成一项权限"
    />
  </>
);

/** What the new page begins with, and what that needs. */
function Beginning() {
  const beginning = Form.useWatch<Values['beginning']>('beginning');
  const { data: datasets } = useData(queryDatasetList, {}, { quiet: true });
  return (
    <>
      <Field of={addPage} name="beginning" />
      {(beginning === 'LIST' || beginning === 'LIST_FORM') && (
        <Field of={addPage} name="datasetCode" required>
          <Select
            placeholder="请选择"
            showSearch={{ optionFilterProp: 'label' }}
            options={(datasets ?? []).map(({ code, label }) => ({ value: code, label: `${label}（${code}）` }))}
          />
        </Field>
      )}
      {beginning === 'JSON' && <JsonFile />}
    </>
  );
}

/** The text of a definition out of a file: as it was exported, or the definition alone. */
function JsonFile() {
  const form = Form.useFormInstance();
  const read = async (file: Blob) => {
    try {
      const text = await file.text();
      const parsed: unknown = JSON.parse(text);
      const exported = typeof parsed === 'object' && parsed !== null && 'definition' in parsed ? parsed : null;
      form.setFieldValue('definition', typeof exported?.definition === 'string' ? exported.definition : text);
      for (const key of ['token', 'title'] as const)
        if (exported && key in exported && !form.getFieldValue(key)) form.setFieldValue(key, Reflect.get(exported, key));
    } catch {
      toastError('文件不是合法的JSON');
    }
  };
  return (
    <>
      <Form.Item label="文件">
        <AntUpload
          accept=".json,application/json"
          maxCount={1}
          beforeUpload={(file) => {
            void read(file);
            return false;
          }}
        >
          <a role="button">选择JSON文件</a>
        </AntUpload>
      </Form.Item>
      <Field of={addPage} name="definition" required extra="选择文件，或粘贴页面定义">
        <Input.TextArea rows={8} spellCheck={false} />
      </Field>
    </>
  );
}

interface Props {
  of: 'add' | 'import' | PageRow | { copyOf: PageRow };
  onClose(): void;
  onMade(pageId: string, versionId: string): void;
}

/** 新建页面, 导入JSON, 复制为新页面, 修改信息. */
export function PageForm({ of, onClose, onMade }: Props) {
  const shared = { open: true, onClose, refreshes } as const;
  if (of === 'import')
    return (
      <FormDrawer<typeof importPage, Imported>
        {...shared}
        title="导入JSON"
        call={importPage}
        initial={{}}
        success={SERVER_MESSAGE}
        onDone={({ data }) => onMade(data.id, data.versionId)}
      >
        <JsonFile />
        <Field of={importPage} name="token" />
        <Field of={importPage} name="title" />
      </FormDrawer>
    );
  if (of === 'add' || 'copyOf' in of) {
    const copied = of === 'add' ? null : of.copyOf;
    return (
      <FormDrawer<typeof addPage, Values>
        {...shared}
        title={copied ? `复制“${copied.title}”为新页面` : '新建页面'}
        call={addPage}
        initial={{
          beginning: copied ? 'COPY' : 'EMPTY',
          leftMenu: 'none',
          trail: [],
          ...(copied && { copyFrom: copied.id, title: copied.title, permission: copied.builtin ? copied.permission : '' }),
        }}
        {...(copied && { toInput: (values: Values) => ({ ...values, beginning: 'COPY' as const, copyFrom: copied.id }) })}
        success={SERVER_MESSAGE}
        onDone={({ data }) => onMade(data.id, data.versionId)}
      >
        {placeFields(addPage)}
        {!copied && <Beginning />}
      </FormDrawer>
    );
  }
  return <Change page={of} onClose={onClose} />;
}

function Change({ page, onClose }: { page: PageRow; onClose(): void }) {
  const { data } = useData(queryPageDetail, { id: page.id }, { quiet: true });
  if (!data) return null;
  const { token, title, description, permission, trail, leftMenu, version } = data.page;
  return (
    <FormDrawer<typeof modifyPage, Changed>
      open
      onClose={onClose}
      refreshes={refreshes}
      title="修改页面信息"
      call={modifyPage}
      initial={{
        token,
        title,
        description,
        permission,
        trail,
        leftMenu: leftMenu === 'corpus' || leftMenu === 'insurance' ? leftMenu : 'none',
      }}
      toInput={(values) => ({ ...values, id: page.id, version })}
      success="修改成功!"
    >
      {placeFields(modifyPage)}
    </FormDrawer>
  );
}
