"""Addresses of boards, runs, methods, and of handing in (SPEC I-3)."""

from django.urls import path, re_path

from leaderboard.views import board, compare, methods, runs, submit

app_name = "leaderboard"
urlpatterns = [
    path("leaderboard/", board.pair_list, name="pairs"),
    path("leaderboard/rows/<uuid:uid>.json", board.row_detail, name="row"),
    path("leaderboard/<str:pair>/", board.board_detail, name="board"),
    re_path(r"^leaderboard/(?P<pair>[^/]+)/board\.(?P<extension>csv|json)$", board.board_download, name="download"),
    path("runs/<uuid:uid>/", runs.run_detail, name="run"),
    path("runs/<uuid:uid>/entries/", runs.run_entries, name="run_entries"),
    path("runs/<uuid:uid>/document/", runs.run_document, name="run_document"),
    path("runs/<uuid:uid>/card.json", runs.run_card, name="run_card"),
    path("runs/<uuid:uid>/score/", runs.run_again, name="run_again"),
    path("runs/<uuid:uid>/anchor/", runs.run_look_again, name="run_look_again"),
    path("methods/<uuid:uid>/", methods.method_detail, name="method"),
    path("compare/", compare.run_compare, name="compare"),
    path("submit/", submit.submit_desk, name="submit"),
    path("submit/run/", submit.submit_run, name="submit_run"),
]
