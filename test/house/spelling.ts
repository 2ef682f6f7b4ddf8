/** British spellings: code, messages and docs are American. */
export const british =
  /colour|behaviour|favour|honour|neighbour|catalogue|cancell(ed|ing)|organis|recognis|normalis|initialis|serialis|summaris|synchronis|authoris|categoris|customis|prioritis|minimis|maximis|optimis|utilis|\banalys(e[ds]?|ing)\b|\bcent(re|red)\b|licence|modell(ed|ing)|labell(ed|ing)(?!by)|travell|signall(ed|ing)|defence|dialogue|judgement|artefact|programme\b|\bfulfil(s|ment)?\b|\bwhilst\b|\bamongst\b|\bgrey\b/i;
