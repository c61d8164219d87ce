import { todayHere } from '#kernel/web/form/today.ts';
import { Form, Select } from 'antd';
import { Field } from '#kernel/web/form/Field.tsx';
import { FormDialog } from '#kernel/web/form/FormDrawer.tsx';
import { Upload } from '#kernel/web/files/Upload.tsx';
import type { UploadedFile } from '#kernel/web/files/places.ts';
import { toast } from '#kernel/web/feedback/toast.ts';
import { licenceTypes, type LicenceType } from '../../contract/dictionaries.ts';
import { queryLicenceExpireList, saveLicence } from '../../contract/licenceCalls.ts';
import { queryDrugstoreDetail, queryDrugstoreList, queryStoreChangeList } from '../../contract/storeCalls.ts';

interface Values {
  licenceType: LicenceType;
  licenceNo: string;
  holder: string;
  validFrom: string;
  validTo?: string | null;
  files?: readonly UploadedFile[];
}

/** 证照: a new one, or the one that follows. Of an open store it waits for its audit. */
export function LicenceForm({ store, onClose }: { store: { id: string; name: string; state: string }; onClose(): void }) {
  return (
    <FormDialog<typeof saveLicence, Values>
      open
      title={`证照：${store.name}`}
      width={640}
      call={saveLicence}
      initial={{ holder: store.name, validFrom: todayHere() }}
      toInput={({ files, validTo, ...values }) => ({
        ownerType: 'DRUGSTORE',
        ownerId: store.id,
        ...values,
        validTo: validTo ?? null,
        fileIds: (files ?? []).map(({ fileId }) => fileId),
      })}
      refreshes={[queryDrugstoreDetail, queryDrugstoreList, queryLicenceExpireList, queryStoreChangeList]}
      onDone={({ data }) => toast(data.changeNo ? `已提交审核（${data.changeNo}）` : '修改成功!')}
      onClose={onClose}
    >
      {(store.state === 'OPEN' || store.state === 'SUSPENDED') && <p className="kq-muted">该门店已开业，新证照须审核后生效。</p>}
      <div className="in-two">
        <Field of={saveLicence} name="licenceType">
          <Select
            placeholder="请选择"
            options={licenceTypes.options.filter(({ value }) => value !== 'MEDICAL').map(({ value, label }) => ({ value, label }))}
          />
        </Field>
        <Field of={saveLicence} name="licenceNo" />
        <Field of={saveLicence} name="holder" />
        <span />
        <Field of={saveLicence} name="validFrom" label="有效期起" />
        <Field of={saveLicence} name="validTo" label="有效期止" extra="不填为长期" />
      </div>
      <Form.Item label="扫描件" name="files">
        <Upload purpose="INSTITUTION_PAPER" max={5} />
      </Form.Item>
    </FormDialog>
  );
}
