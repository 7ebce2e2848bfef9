"""Addresses of the board, of runs and of methods (SPEC I-3)."""

from django.urls import path, re_path

from leaderboard.views import board

app_name = "leaderboard"
urlpatterns = [
    path("leaderboard/", board.pair_list, name="pairs"),
    path("leaderboard/rows/<uuid:uid>.json", board.row_detail, name="row"),
    path("leaderboard/<str:pair>/", board.board_detail, name="board"),
    re_path(r"^leaderboard/(?P<pair>[^/]+)/board\.(?P<extension>csv|json)$", board.board_download, name="download"),
]
