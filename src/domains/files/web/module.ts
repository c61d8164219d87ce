import { lazy } from 'react';
import { bell } from '#kernel/web/layout/slots.ts';
import { exportPlace, importPlace, previewPlace, stagePlace, uploadPlace } from '#kernel/web/files/places.ts';
import { provideStoring } from '#kernel/web/files/storing.ts';
import { lowcodePage } from '#kernel/web/lowcodePlace.ts';
import { pagesOf } from '#kernel/web/module.ts';
import type { WebModule } from '#kernel/web/module.ts';
import { fill } from '#kernel/web/slots.tsx';
import { fileRoutes } from '../contract/routes.ts';

provideStoring(async () => (await import('./uploading/uploadFile.ts')).uploadFile);

/** The browser half of files: the download centre, and the components that other pages show through the kernel. */
export const filesWeb: WebModule = {
  domain: 'files',
  pages: pagesOf(fileRoutes, { '/downloadList': () => import('./downloadList/DownloadList.tsx'), '/downloadCenter': lowcodePage }),
  slots: [
    fill(
      exportPlace,
      lazy(() => import('./exporting/ExportButton.tsx')),
    ),
    fill(
      importPlace,
      lazy(() => import('./importing/ImportWizard.tsx')),
    ),
    fill(
      uploadPlace,
      lazy(() => import('./uploading/Upload.tsx')),
    ),
    fill(
      previewPlace,
      lazy(() => import('./preview/FilePreview.tsx')),
    ),
    fill(
      stagePlace,
      lazy(() => import('./preview/FileStage.tsx')),
    ),
    // Mounted with the header: an export goes on while the operator changes the page.
    fill(
      bell,
      lazy(() => import('./exporting/ExportWatcher.tsx')),
      210,
    ),
  ],
};
