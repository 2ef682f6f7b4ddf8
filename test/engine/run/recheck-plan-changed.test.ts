import { changed } from '../../stories/changed.ts';
import { tellEach } from '../../stories/with-engine.ts';

tellEach(changed);
