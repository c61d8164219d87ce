import { refresh } from '#kernel/web/http/queries.ts';
import { ImportButton } from '#kernel/web/files/ImportWizard.tsx';
import { queryImportTaskList } from '#domains/files/contract/calls/imports.ts';
import { PERF_BIND_IMPORTER } from '../../contract/calls/perfChanges.ts';
import { settlementPermissions as may } from '../../contract/permissions.ts';
import { Imports } from './Imports.tsx';
import { perfReads } from './reads.ts';

/** /importBind 导入绑定: tables of bindings become requests that another person passes. */
export default function ImportBind() {
  return (
    <Imports
      toolbar={
        <ImportButton
          importerCode={PERF_BIND_IMPORTER}
          permission={may['perf.import']}
          label="导入绑定"
          onChanged={() => void refresh(queryImportTaskList, ...perfReads)}
        />
      }
    />
  );
}
