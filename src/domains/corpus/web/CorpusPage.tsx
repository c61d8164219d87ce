import { lazy, Suspense, useEffect } from 'react';
import { param } from '#kernel/web/router/address.ts';
import { TableFailure } from '#kernel/web/kit/TableState.tsx';
import { useAddress } from '#kernel/web/tabs/page.tsx';
import { CorpusDialogs } from './dialogs/CorpusDialogs.tsx';
import { findScene, useSceneTree, useMenuDiseases } from './data.ts';
import { DiseaseOverview } from './panel/DiseaseOverview.tsx';
import { DiseaseScenes } from './panel/DiseaseScenes.tsx';
import { corpusViews, rememberedPlace, rememberPlace, sceneTabs } from './place.ts';
import './corpus.css';

const SceneView = lazy(async () => ({ default: (await import('./panel/SceneView.tsx')).SceneView }));
const EngineBoard = lazy(() => import('./engine/EngineBoard.tsx'));
const MaterialLibrary = lazy(() => import('./materials/MaterialLibrary.tsx'));
const QuestionnaireLibrary = lazy(() => import('./questionnaires/QuestionnaireLibrary.tsx'));

const schema = { diseaseId: param.optional(), sceneId: param.optional(), tab: param.oneOf(sceneTabs) };

const viewSchema = { view: param.oneOf(corpusViews) };

/**
 * /corpus: all diseases, the scenes of one, or one scene, with the dialogs of both page and left menu; or what the views of its foot
 * show.
 */
export default function CorpusPage() {
  const [{ view }] = useAddress(viewSchema);
  return (
    <>
      {view === 'scene' ? (
        <Place />
      ) : (
        <Suspense fallback={<div className="kq-loading" role="progressbar" aria-label="加载中" />}>
          {view === 'engine' ? <EngineBoard /> : view === 'material' ? <MaterialLibrary /> : <QuestionnaireLibrary />}
        </Suspense>
      )}
      <CorpusDialogs />
    </>
  );
}

function Place() {
  const [{ diseaseId, sceneId, tab }, setAddress] = useAddress(schema);
  const { data: diseases, error, refetch, fetching } = useMenuDiseases();
  const { data: tree, error: treeError, refetch: refetchTree, fetching: treeFetching } = useSceneTree(diseaseId);
  const disease = diseases?.rows.find((row) => row.id === diseaseId);
  const scene = sceneId === undefined ? undefined : findScene(tree?.rows ?? [], sceneId);

  // An address without a place takes the remembered one.
  useEffect(() => {
    if (diseaseId !== undefined) return;
    const remembered = rememberedPlace();
    if (remembered.diseaseId !== undefined) setAddress(remembered);
  }, [diseaseId, setAddress]);

  // What the address names is current from now on; a disease or scene that is gone is forgotten, one just added is not there yet.
  useEffect(() => {
    if (!diseases || diseaseId === undefined) return;
    if (!disease) {
      if (fetching) return;
      rememberPlace(null, null);
      setAddress({ diseaseId: undefined, sceneId: undefined });
    } else if (sceneId === undefined) rememberPlace({ id: disease.id, name: disease.diseaseName }, null);
    else if (scene) rememberPlace({ id: disease.id, name: disease.diseaseName }, { id: scene.id, name: scene.name });
    else if (tree && !treeFetching) setAddress({ sceneId: undefined });
  }, [diseases, fetching, diseaseId, disease, sceneId, scene, tree, treeFetching, setAddress]);

  if (diseaseId === undefined) return <DiseaseOverview />;
  if (!diseases && error) return <TableFailure error={error} onRetry={() => void refetch()} />;
  if (!disease) return <div className="kq-loading" role="progressbar" aria-label="病种加载中" />;
  if (sceneId === undefined) return <DiseaseScenes disease={disease} />;
  if (!tree && treeError) return <TableFailure error={treeError} onRetry={() => void refetchTree()} />;
  if (!scene) return <div className="kq-loading" role="progressbar" aria-label="场景加载中" />;
  return (
    <Suspense fallback={<div className="kq-loading" role="progressbar" aria-label="场景加载中" />}>
      <SceneView key={scene.id} disease={disease} scene={scene} tab={tab} onTab={(next) => setAddress({ tab: next })} />
    </Suspense>
  );
}
