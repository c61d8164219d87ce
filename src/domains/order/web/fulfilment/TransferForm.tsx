import { Select } from 'antd';
import { useState } from 'react';
import { Facts } from '#kernel/web/detail/DetailLayout.tsx';
import { factsIn } from '#kernel/web/detail/factsIn.tsx';
import { Field } from '#kernel/web/form/Field.tsx';
import { FormDrawer } from '#kernel/web/form/FormDrawer.tsx';
import { useDebouncedCallback } from '#kernel/web/http/debounce.ts';
import { useData } from '#kernel/web/http/queries.ts';
import { queryExceptionList, queryExceptionOwners, transferException as of, type ExceptionRow } from '../../contract/calls/exceptions.ts';
import { exceptionReads } from '../exceptionReads.ts';

interface Values {
  toUserId: string;
  opinion: string;
}

/** 转交: somebody else handles it from here on. */
export function TransferForm({ exception, onClose }: { exception: ExceptionRow; onClose(): void }) {
  const [keyword, setKeyword] = useState('');
  const search = useDebouncedCallback(setKeyword);
  const { data, fetching } = useData(queryExceptionOwners, keyword === '' ? {} : { keyword }, { quiet: true });
  return (
    <FormDrawer<typeof of, Values>
      open
      title={`转交 ${exception.exceptionNo}`}
      call={of}
      toInput={(values) => ({ ...values, exceptionId: exception.id, version: exception.version })}
      refreshes={exceptionReads}
      success="message"
      onClose={onClose}
    >
      <Facts columns={1} facts={factsIn(queryExceptionList.output, exception, ['orderNo', 'type', 'detail', 'ownerName'])} />
      <Field of={of} name="toUserId">
        <Select
          showSearch={{ filterOption: false, onSearch: search }}
          loading={fetching}
          placeholder="输入姓名或工号"
          options={(data?.people ?? []).map(({ userId, displayName, roleName }) => ({
            value: userId,
            label: `${displayName}（${roleName}）`,
          }))}
        />
      </Field>
      <Field of={of} name="opinion" />
    </FormDrawer>
  );
}
