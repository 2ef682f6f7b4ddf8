import { changed } from '../stories/changed.ts';
import { tellEach } from '../stories/in-room.ts';

tellEach(changed);
