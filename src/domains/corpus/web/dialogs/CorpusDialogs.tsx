import { Modal } from 'antd';
import { lazy, Suspense, useEffect } from 'react';
import { ConditionPanel } from '../conditions/ConditionPanel.tsx';
import { closeDialog, useCorpusDialog } from './store.ts';

const AddDiseaseDialog = lazy(async () => ({ default: (await import('./AddDiseaseDialog.tsx')).AddDiseaseDialog }));
const AddScenesDialog = lazy(async () => ({ default: (await import('./AddScenesDialog.tsx')).AddScenesDialog }));
const DictionaryDrawer = lazy(async () => ({ default: (await import('./DictionaryDrawer.tsx')).DictionaryDrawer }));
const MoreActionsDialog = lazy(async () => ({ default: (await import('./MoreActionsDialog.tsx')).MoreActionsDialog }));
const SceneNameDialog = lazy(async () => ({ default: (await import('./SceneNameDialog.tsx')).SceneNameDialog }));

/** The one open dialog of the corpus: the left menu opens it too, but it belongs to the page and goes when that is left. */
export function CorpusDialogs() {
  useEffect(() => closeDialog, []);
  return (
    <Suspense fallback={null}>
      <OpenDialog />
    </Suspense>
  );
}

function OpenDialog() {
  const open = useCorpusDialog((state) => state.open);
  switch (open?.kind) {
    case 'addDisease':
      return <AddDiseaseDialog onClose={closeDialog} />;
    case 'dictionary':
      return <DictionaryDrawer onClose={closeDialog} />;
    case 'addScene':
      return <AddScenesDialog diseaseId={open.diseaseId} main={open.main} onClose={closeDialog} />;
    case 'more':
      return <MoreActionsDialog scene={open.scene} onClose={closeDialog} />;
    case 'name':
      return <SceneNameDialog key={`${open.scene.id}${open.copy}`} scene={open.scene} copy={open.copy} onClose={closeDialog} />;
    case 'launch':
      return (
        <Modal
          open
          title={`启动条件：${open.scene.name}`}
          width={1080}
          className="kq-corpus-dialog"
          footer={null}
          onCancel={closeDialog}
          mask={{ closable: false }}
        >
          <ConditionPanel scene={open.scene} expType={1} types={[1]} />
        </Modal>
      );
    default:
      return null;
  }
}
