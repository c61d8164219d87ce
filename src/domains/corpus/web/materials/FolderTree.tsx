import { DeleteOutlined, EditOutlined, PlusOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { confirmDelete } from '#kernel/web/feedback/dialogs.tsx';
import { Field } from '#kernel/web/form/Field.tsx';
import { FormDialog } from '#kernel/web/form/FormDrawer.tsx';
import { SERVER_MESSAGE, useCommand } from '#kernel/web/http/queries.ts';
import { useLayers } from '#kernel/web/kit/useLayers.tsx';
import { useMay } from '#kernel/web/session/store.ts';
import {
  addMaterialFolder,
  delMaterialFolder,
  modifyMaterialFolder,
  queryMaterialFolderList,
  queryMaterialList,
  type FolderRow,
} from '../../contract/materials/calls.ts';
import { corpusPermissions as may } from '../../contract/permissions.ts';
import { folderLines, useFolders } from './materialOptions.ts';
import './materials.css';

const NONE: readonly FolderRow[] = [];

interface FolderTreeProps {
  chosen: string | undefined;
  onChoose(folderId: string | undefined): void;
}

/** The folders of the library; whoever writes materials keeps them. */
export function FolderTree({ chosen, onChoose }: FolderTreeProps) {
  const edits = useMay()(may['material.edit']);
  const { data: folders = NONE } = useFolders();
  const layers = useLayers();
  const name = (folder: FolderRow | null, parentId: string | null) =>
    layers.open((close) => <FolderName folder={folder} parentId={parentId} onClose={close} />);
  const remove = useCommand(delMaterialFolder, {
    success: '删除成功!',
    refreshes: [queryMaterialFolderList],
    onSuccess: () => onChoose(undefined),
  });
  return (
    <nav className="kq-mat-folders" aria-label="素材目录">
      <div className="kq-mat-folders-head">
        目录
        {edits && (
          <Button
            type="text"
            size="small"
            icon={<PlusOutlined />}
            aria-label="新增目录"
            title="新增目录"
            onClick={() => name(null, null)}
          />
        )}
      </div>
      <div className={chosen === undefined ? 'kq-mat-folder kq-on' : 'kq-mat-folder'}>
        <button type="button" onClick={() => onChoose(undefined)}>
          全部素材
        </button>
      </div>
      {folderLines(folders).map(({ folder, below }) => (
        <div key={folder.id} className={`kq-mat-folder${below ? ' kq-below' : ''}${chosen === folder.id ? ' kq-on' : ''}`}>
          <button type="button" title={folder.name} onClick={() => onChoose(folder.id)}>
            {folder.name} <span className="kq-muted">{folder.materialCount}</span>
          </button>
          {edits && chosen === folder.id && (
            <>
              {!below && (
                <Button
                  type="text"
                  size="small"
                  icon={<PlusOutlined />}
                  aria-label="新增下级目录"
                  title="新增下级目录"
                  onClick={() => name(null, folder.id)}
                />
              )}
              <Button
                type="text"
                size="small"
                icon={<EditOutlined />}
                aria-label="重命名目录"
                title="重命名目录"
                onClick={() => name(folder, folder.parentId)}
              />
              <Button
                type="text"
                size="small"
                icon={<DeleteOutlined />}
                aria-label="删除目录"
                title="删除目录"
                disabled={remove.busy}
                onClick={async () => {
                  if (await confirmDelete(`目录“${folder.name}”`)) await remove.run({ id: folder.id, version: folder.version });
                }}
              />
            </>
          )}
        </div>
      ))}
      {layers.shown}
    </nav>
  );
}

function FolderName({ folder, parentId, onClose }: { folder: FolderRow | null; parentId: string | null; onClose(): void }) {
  const shared = { open: true, refreshes: [queryMaterialFolderList, queryMaterialList], onClose } as const;
  return folder ? (
    <FormDialog<typeof modifyMaterialFolder, { name: string }>
      {...shared}
      title="重命名目录"
      call={modifyMaterialFolder}
      initial={{ name: folder.name }}
      toInput={({ name }) => ({ id: folder.id, version: folder.version, name })}
      success="修改成功!"
    >
      <Field of={modifyMaterialFolder} name="name" />
    </FormDialog>
  ) : (
    <FormDialog<typeof addMaterialFolder, { name: string }>
      {...shared}
      title="新增目录"
      call={addMaterialFolder}
      toInput={({ name }) => ({ name, parentId })}
      success={SERVER_MESSAGE}
    >
      <Field of={addMaterialFolder} name="name" />
    </FormDialog>
  );
}
